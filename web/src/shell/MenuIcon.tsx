const paths: Readonly<Record<string, string>> = {
  '/': 'M3.5 9.5 10 4l6.5 5.5v7H12v-4H8v4H3.5Z',
  '/dashboard': 'M3 14.5a7 7 0 1 1 14 0M10 14.5l3.5-5',
  '/overview': 'M4 6h7M15 6h1M4 14h1M9 14h7M13 4v4M7 12v4',
  '/vm/vmdetails': 'M3 4h14v9H3zM7 16.5h6M10 13v3.5',
  '/vm/class': 'M3 4h5.5v4.5H3zM11.5 4H17v4.5h-5.5zM3 11.5h5.5V16H3zM11.5 11.5H17V16h-5.5z',
  '/vm/billing': 'M5 3h10v14l-2.5-1.5L10 17l-2.5-1.5L5 17zM8 7h4M8 10h4',
  '/vm/logs': 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM10 6v4.2l2.8 1.8',
  '/vm/ports': 'M7.5 3v4M12.5 3v4M5.5 7h9v3a4.5 4.5 0 0 1-9 0zM10 14.5V18',
  '/vm/scheduler': 'M3.5 5h13v11.5h-13zM3.5 8.5h13M7 3v3.5M13 3v3.5',
  '/vm/attendance': 'M4 3.5h12v13H4zM7 8l1.5 1.5L11 7M7 13l1.5 1.5L11 12M13 8.5h1M13 13.5h1',
  '/vm/roster': 'M4 4h12v12.5H4zM7.5 2.5v3M12.5 2.5v3M6.5 9.5h1M9.5 9.5h4M6.5 13h1M9.5 13h4',
  '/vm/registration':
    'M8.5 11.5l3-3M7 13l-1 1a2.5 2.5 0 0 1-3.5-3.5l3-3a2.5 2.5 0 0 1 3.5 0M13 7l1-1a2.5 2.5 0 0 1 3.5 3.5l-3 3a2.5 2.5 0 0 1-3.5 0',
  '/vm/restriction': 'M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  '/createvm': 'M3.5 3.5h13v13h-13zM10 7v6M7 10h6',
  '/vm/quota': 'M6 3h8v2.5L11 10l3 4.5V17H6v-2.5L9 10 6 5.5Z',
  '/vm/deletelogs': 'M8 16.5h8.5M4 12l7-7 4.5 4.5-7 7h-1Z',
  '/vm/deletetraining': 'M3.5 5.5h13M8 5V3h4v2M5 5.5l.8 11h8.4l.8-11',
  '/sandbox/azure': 'M6 15.5a3.5 3.5 0 0 1-.3-7A4.5 4.5 0 0 1 14.3 9a3.3 3.3 0 0 1 0 6.5Z',
  '/sandbox/aws': 'M10 3l6.5 3.5v7L10 17l-6.5-3.5v-7ZM3.5 6.5 10 10l6.5-3.5M10 10v7',
  '/sandbox/azure/users':
    'M7.5 4a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM2.5 16c.3-3 2.3-4.5 5-4.5s4.7 1.5 5 4.5M13 4.5a2.4 2.4 0 0 1 0 4.4M14.5 11.8c1.8.5 2.8 1.9 3 4.2',
  '/sandbox/aws/users': 'M4 3.5h12v13H4zM10 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM6.8 14c.3-1.6 1.5-2.4 3.2-2.4s2.9.8 3.2 2.4',
  '/ledger/credit': 'M3 6.5h12.5a1.5 1.5 0 0 1 1.5 1.5v7.5H4.5A1.5 1.5 0 0 1 3 14ZM3 6.5 13 3.5v3M13.5 11.5h.5',
  '/budgets': 'M3.5 13.5a6.5 6.5 0 0 1 13 0ZM10 13.5l3-3.5M3.5 16.5h13',
  '/ledger': 'M4.5 3.5H15v13H4.5ZM7 3.5v13M9.5 7h3M9.5 10h3',
  '/ledger/account': 'M3 5.5h14V15H3zM3 8.5h14M6 12h3',
  '/ledger/invoices': 'M5.5 3H12l3 3v11H5.5ZM12 3v3h3M8 9.5h4.5M8 12.5h4.5',
  '/ledger/costs': 'M6.5 10.5a3 3 0 0 1-.2-6A4 4 0 0 1 14 5.2a2.7 2.7 0 0 1-.3 5.3ZM5 13.5h10M5 16.5h6.5',
  '/admin/organisation': 'M4.5 17V4h7v13M11.5 8h4v9M3 17h14M7 7h2M7 10h2M7 13h2',
  '/admin/import': 'M3.5 4.5h5v11h-5zM10.5 10h6m0 0-2.5-2.5M16.5 10 14 12.5M11.5 4.5h5M11.5 15.5h5',
  '/admin/supplier': 'M3.5 8.5 5 4h10l1.5 4.5M4.5 8.5V16h11V8.5M3.5 8.5h13M8 16v-4h4v4',
  '/requests': 'M3.5 4h13v9.5H9L5.5 17v-3.5h-2zM7 7.5h6M7 10h4',
  '/admin/keys': 'M7 7a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10.5 10.5H17v3M14 10.5V13',
  '/admin/lms': 'M2 7l8-4 8 4-8 4ZM5 9v5c3 2.5 7 2.5 10 0V9M18 7v6',
  '/admin/webhooks':
    'M9 8.5 6 13.5M10 3.5a2.5 2.5 0 1 0 0 5l3.5 6M5 12.5a2.2 2.2 0 1 0 2.2 2.2h6M15 12.6a2.2 2.2 0 1 1-1.5 2',
  '/admin/networks': 'M7.5 3h5v4h-5ZM3 13h5v4H3ZM12 13h5v4h-5ZM10 7v3M5.5 13v-3h9v3',
  '/admin/audit': 'M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5ZM7.5 10l2 2 3.5-3.5',
}

const DOT = 'M10 8.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Z'

export const MenuIcon = ({ path }: { path: string }) => (
  <svg width="18" height="18" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path
      d={paths[path] ?? DOT}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)
