/**
 * HTML that the browser paints before any style sheet or script has arrived. Sizes and colours match Shell, Sidebar and
 * TopBar, which replace it without a layout shift (measured by `npm run bench first-load`).
 */
export const FRAME_STYLE = `
:root{color-scheme:light dark;background:light-dark(#f7f8fa,#0e1116);color:light-dark(#14171f,#e8eaed)}
:root[data-mantine-color-scheme=light]{color-scheme:light}
:root[data-mantine-color-scheme=dark]{color-scheme:dark}
body{margin:0}
.frame{display:grid;grid-template:'side top' 3rem 'side main' 1fr/14.5rem minmax(0,1fr);min-height:100dvh}
.frame *{box-sizing:border-box}
.frame-side{grid-area:side;height:100dvh;background:light-dark(#fff,#151a21);border-inline-end:1px solid light-dark(#e3e6eb,#262d37)}
.frame-name{display:flex;align-items:center;gap:.625rem;min-height:3rem;padding:.625rem 1rem;font:600 .875rem/1.45 'Inter Variable','Inter Fallback',system-ui,sans-serif}
.frame-top{grid-area:top;background:light-dark(#fff,#151a21);border-block-end:1px solid light-dark(#e3e6eb,#262d37)}
.frame-title{grid-area:main;height:3.5625rem;background:light-dark(#fff,#151a21);border-block-end:1px solid light-dark(#e3e6eb,#262d37)}
@media (max-width:62em){.frame{grid-template:'top' 3rem 'main' 1fr/minmax(0,1fr)}.frame-side{display:none}}
`.trim()

export const FRAME_HTML =
  '<div class="frame" aria-busy="true">' +
  '<div class="frame-side"><div class="frame-name">' +
  '<svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="4" fill="#123f7a"/><path d="M4 24H28M8 24 18 8H28M13 16H28" fill="none" stroke="#fff" stroke-width="2.6" stroke-linejoin="round"/><circle cx="8" cy="24" r="2.6" fill="#f0b75a"/></svg>' +
  'Trainyard</div></div>' +
  '<div class="frame-top"></div><div class="frame-title"></div></div>'
