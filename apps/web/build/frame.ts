/**
 * HTML that the browser paints before any style sheet or script has arrived. Sizes and colours match Shell, Sidebar and
 * TopBar, which replace it without a layout shift (measured by `npm run bench first-load`).
 */
export const FRAME_STYLE = `
:root{color-scheme:light dark;background:light-dark(#f5f4ef,#10151b);color:light-dark(#15202b,#e6e8ea)}
:root[data-mantine-color-scheme=light]{color-scheme:light}
:root[data-mantine-color-scheme=dark]{color-scheme:dark}
body{margin:0}
.frame{display:grid;grid-template:'side top' 3.5rem 'side main' 1fr/16.5rem minmax(0,1fr);min-height:100dvh}
.frame *{box-sizing:border-box}
.frame-side{grid-area:side;height:100dvh;background:light-dark(#fdfdfb,#171e26);border-inline-end:1px solid light-dark(#d9d6cc,#2b3541)}
.frame-name{display:flex;align-items:center;gap:.75rem;padding:.875rem 1rem;font:650 1.125rem/1.5 system-ui,sans-serif;letter-spacing:-.02em}
.frame-top{grid-area:top;border-block-end:1px solid light-dark(#d9d6cc,#2b3541)}
.frame-main{grid-area:main;padding:1.5rem 2rem 3rem;max-width:90rem;width:100%}
.frame-title{height:3.125rem;border-block-end:2px solid light-dark(#15202b,#66727f)}
@media (max-width:62em){.frame{grid-template:'top' 3.5rem 'main' 1fr/minmax(0,1fr)}.frame-side{display:none}.frame-main{padding:1rem 1rem 2rem}}
`.trim()

export const FRAME_HTML =
  '<div class="frame" aria-busy="true">' +
  '<div class="frame-side"><div class="frame-name">' +
  '<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="4" fill="#123f7a"/><path d="M4 24H28M8 24 18 8H28M13 16H28" fill="none" stroke="#fff" stroke-width="2.6" stroke-linejoin="round"/><circle cx="8" cy="24" r="2.6" fill="#f0b75a"/></svg>' +
  'Trainyard</div></div>' +
  '<div class="frame-top"></div><div class="frame-main"><div class="frame-title"></div></div></div>'
