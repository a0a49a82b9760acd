// Loaded into Playwright's driver before it starts (NODE_OPTIONS): Playwright asks every browser that it drives by WebDriver
// BiDi for `emulation.setMediaFeaturesOverride`, which Firefox 153 ESR does not know yet, and would give up over it. It is told
// that all is well: what the tests want of these features they set by Firefox's preferences.
const { dirname, join } = require('node:path');

const UNKNOWN = '"method":"emulation.setMediaFeaturesOverride"';

if (process.argv[1]?.endsWith('cli.js')) {
  const { ws: WebSocket } = require(join(dirname(process.argv[1]), 'lib', 'utilsBundle.js'));
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (message, ...rest) {
    if (typeof message !== 'string' || !message.includes(UNKNOWN)) return send.call(this, message, ...rest);
    const { id } = JSON.parse(message);
    return this.emit('message', Buffer.from(JSON.stringify({ type: 'success', id, result: {} })), false);
  };
}
