// Tabs of a docs site, and the hotkey of its search.
document.addEventListener('click', ({ target }) => {
  const tab = target.closest('[role="tab"]');
  if (!tab) return;
  for (const other of document.querySelectorAll('[role="tab"]')) {
    other.setAttribute('aria-selected', String(other === tab));
    document.getElementById(other.dataset.panel).hidden = other !== tab;
  }
});
window.hotkeys = [];
document.addEventListener('keydown', (event) => window.hotkeys.push(event.key));
document.documentElement.dataset.theme = new URLSearchParams(location.search).get('theme') ?? 'light';
const chat = document.querySelector('pincite-chat');
for (const [name, value] of new URLSearchParams(location.search)) {
  if (name.startsWith('w-')) chat.setAttribute(name.slice(2), value);
}
if (location.search.includes('w-')) chat.parentNode.append(chat); // As if a script had created the element.
