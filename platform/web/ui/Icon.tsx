const paths = {
  person: 'M10 3.2a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8ZM3.8 16.8c.5-3 3-4.8 6.2-4.8s5.7 1.8 6.2 4.8',
  menu: 'M3 6h14M3 10h14M3 14h14',
  close: 'm5 5 10 10M15 5 5 15',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4',
  moon: 'M16.5 11.7A6.8 6.8 0 0 1 8.3 3.5a6.8 6.8 0 1 0 8.2 8.2Z',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM13 13l4 4',
  download: 'M10 3v9m0 0 3.5-3.5M10 12 6.5 8.5M3.5 16.5h13',
  upload: 'M10 12V3m0 0 3.5 3.5M10 3 6.5 6.5M3.5 16.5h13',
  external: 'M8 4H4v12h12v-4M11.5 3.5h5v5M16.5 3.5 9 11',
  power: 'M10 2.5v7M6 5a6.5 6.5 0 1 0 8 0',
  play: 'M6 3.8v12.4L16 10z',
  stop: 'M4.5 4.5h11v11h-11z',
  announce: 'M16 4v11L9 12.5H5a1.5 1.5 0 0 1-1.5-1.5V8.5A1.5 1.5 0 0 1 5 7h4zM6 12.5l1 4h2l-.5-4',
  extend: 'M16.8 9A7 7 0 1 0 9 16.9M10 6v4l2.2 1.5M15.5 12.5v5M13 15h5',
  hide: 'M3 3l14 14M8.2 5.3A8 8 0 0 1 10 5c4 0 6.5 3 7.5 5a12 12 0 0 1-2 2.7M5.3 6.8A11 11 0 0 0 2.5 10c1 2 3.5 5 7.5 5a8 8 0 0 0 3-.6',
  restart: 'M16 10a6 6 0 1 1-1.8-4.3M16.5 2.5v4h-4',
  camera: 'M3 6.5h3l1.5-2h5l1.5 2h3v9.5H3zM10 8.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4Z',
  plus: 'M10 3.5v13M3.5 10h13',
  pencil: 'M13.5 3.5l3 3L7 16l-3.8.8L4 13zM11.5 5.5l3 3',
  bin: 'M3.5 5.5h13M8 5V3h4v2M5 5.5l.8 11h8.4l.8-11M8.3 8.5v5M11.7 8.5v5',
  up: 'm5.5 12 4.5-4.5 4.5 4.5',
  down: 'm5.5 8 4.5 4.5L14.5 8',
  copy: 'M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7',
  more: 'M4 10h.01M10 10h.01M16 10h.01',
} as const
export type IconName = keyof typeof paths

/** Decorative line icon, hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth={name === 'more' ? 2.6 : 1.6}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
