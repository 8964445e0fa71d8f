import { createHash } from 'node:crypto'

/** Style sheet of most open screens. */
export const SHEET = 'core/users/web/sign-in/public.css'

/** Inline favicon, so that the public pages need no request for it. */
export const FAVICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='4' fill='%23123f7a'/%3E%3Cpath d='M4 24H28M8 24L18 8H28M13 16H28' fill='none' stroke='%23fff' stroke-width='3'/%3E%3C/svg%3E"

/** Sets the colour scheme before the first paint: the user's choice (a cookie), otherwise the system's. */
const SCHEME_SCRIPT =
  "document.documentElement.dataset.mantineColorScheme=(document.cookie.match(/(?:^|; )scheme=(light|dark)/)||[])[1]||(matchMedia('(prefers-color-scheme:dark)').matches?'dark':'light')"

const UNENCRYPTED =
  'This page is not encrypted: others on the network can read what you see and type. Ask the operator for an https address.'

/** Adds a bar to every page that is neither loaded over https nor from the user's own machine. */
const UNENCRYPTED_SCRIPT = `isSecureContext||addEventListener('DOMContentLoaded',()=>document.body.prepend(Object.assign(document.createElement('output'),{className:'unencrypted no-print',textContent:'${UNENCRYPTED}'})))`

/** Inline script of every page, which runs before the first paint. */
export const HEAD_SCRIPT = `${SCHEME_SCRIPT};${UNENCRYPTED_SCRIPT}`

const NOT_LOADED = 'This page did not load completely. Load it again.'

/**
 * Holds a press of a button until the application has loaded, which then repeats it (`OpenPage.tsx`). A page whose
 * script loads on use names it in `data-start`; approaching a button then starts it. Says if a script did not arrive. Marks a page that has the answer of an identity
 * provider in its address.
 */
export const HOLD_SCRIPT = `{let pressed;
if(new URLSearchParams(location.search).has('state'))document.documentElement.dataset.answered='';
const start=()=>{const{start}=document.body.dataset;if(start)import(start)};
const hold=e=>{const button=e.type==='submit'?e.submitter:e.target.closest('button[type=button]');if(!button)return;
e.preventDefault();pressed=button;document.documentElement.dataset.held='';start()};
const near=e=>e.target.closest('button')&&start();
const fail=()=>{delete document.documentElement.dataset.held;
for(const banner of document.querySelectorAll('[role=alert]')){banner.hidden=false;banner.textContent='${NOT_LOADED}'}};
const events={submit:hold,click:hold,pointerover:near,focusin:near,error:fail,unhandledrejection:fail};
for(const type in events)addEventListener(type,events[type],true);
globalThis.takePressed=()=>{for(const type in events)removeEventListener(type,events[type],true);
delete document.documentElement.dataset.held;return pressed}}`.replaceAll('\n', '')

const hashes = (html: string, tag: 'script' | 'style') =>
  [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))]
    .map(([, content]) => `'sha256-${createHash('sha256').update(content!).digest('base64')}'`)
    .join(' ')

/**
 * For public pages. The server sets the application's policy, since it knows the payment provider's checkout host.
 * @param formAction origins that forms may be sent to; the server restricts those of the pages for an LMS
 */
export function withPolicy(html: string, formAction: string): string {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes(html, 'script')}`,
    `style-src 'self' ${hashes(html, 'style')}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
  ].join('; ')
  return html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`)
}
