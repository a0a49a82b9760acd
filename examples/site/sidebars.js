// @ts-check

/** @type {import('@docusaurus/plugin-content-docs').SidebarsConfig} */
const sidebars = {
  docs: [
    'introduction',
    'quick-start',
    'installation',
    {
      type: 'category',
      label: 'Concepts',
      link: {
        type: 'generated-index',
        title: 'Concepts',
        description: 'The ideas behind Harbor Queue, one page each.',
        slug: '/concepts',
      },
      items: [
        'concepts/jobs',
        'concepts/queues',
        'concepts/workers',
        'concepts/leases',
        'concepts/retries-and-backoff',
        'concepts/dead-letters',
        'concepts/priorities',
        'concepts/scheduling',
        'concepts/idempotency',
      ],
    },
    {
      type: 'category',
      label: 'Guides',
      items: [
        'guides/deploy-systemd',
        'guides/kubernetes',
        'guides/clustering',
        'guides/tls',
        'guides/authentication',
        'guides/monitoring',
        'guides/backups',
        'guides/upgrading',
        'guides/rate-limiting',
        'guides/webhooks',
        'guides/migrating',
        'guides/troubleshooting',
      ],
    },
    {
      type: 'category',
      label: 'Reference',
      items: [
        'reference/cli',
        'reference/configuration',
        'reference/environment',
        'reference/http-api',
        'reference/python-client',
        'reference/javascript-client',
        'reference/error-codes',
        'reference/limits',
        'reference/glossary',
      ],
    },
    {
      type: 'category',
      label: 'Examples',
      items: ['examples/thumbnails', 'examples/nightly-report', 'examples/fan-out'],
    },
    'faq',
  ],
};

export default sidebars;
