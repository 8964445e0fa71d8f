import { pathOf } from '@trainyard/contract/call.ts'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { FAVICON, HEAD_SCRIPT } from '../../build/head.ts'
import { Forgot } from './Forgot.tsx'
import { Invitation } from './Invitation.tsx'
import { Join } from './Join.tsx'
import { Login } from './Login.tsx'
import { Lti } from './Lti.tsx'
import { Password } from './Password.tsx'
import { Privacy } from './Privacy.tsx'
import { SignIn } from './SignIn.tsx'
import { Welcome } from './Welcome.tsx'
import { session } from '@trainyard/contract/calls/user.ts'
import { Brand } from './Brand.tsx'

interface PublicPage {
  readonly title: string
  readonly body: (parts: Parts) => ReactNode
  readonly sheet: string
  /** False: the page has no script. */
  readonly script?: false
}

/** Pages outside a session. They are rendered at build time; `<name>.script.ts` is their only script. */
export const pages = {
  login: { title: 'Login', body: ({ secondStep }) => <Login secondStep={secondStep} />, sheet: 'public.css' },
  logout: { title: 'Logout', body: () => <Logout />, sheet: 'public.css' },
  invitation: { title: 'Set Your Password', body: () => <Invitation />, sheet: 'public.css' },
  forgot: { title: 'Forgot Password', body: () => <Forgot />, sheet: 'public.css' },
  password: { title: 'Change Your Password', body: () => <Password />, sheet: 'public.css' },
  'sign-in': { title: 'Sign In', body: () => <SignIn />, sheet: 'public.css' },
  lti: { title: 'Opening Your Training', body: () => <Lti />, sheet: 'public.css' },
  join: { title: 'Register', body: ({ secondStep }) => <Join secondStep={secondStep} />, sheet: 'public.css' },
  privacy: { title: 'Privacy Notice', body: () => <Privacy />, sheet: 'public.css', script: false },
  welcome: { title: 'Welcome', body: () => <Welcome />, sheet: 'welcome.css' },
} satisfies Record<string, PublicPage>

/** ID of the element after the content. */
const END = 'end'

interface Parts {
  readonly style: string
  readonly script: string
  /** The application's files, prefetched while the user types. */
  readonly app: readonly string[]
  readonly secondStep: string
}

export function renderPage(name: keyof typeof pages, parts: Parts): string {
  const { style, script, app } = parts
  const page: PublicPage = pages[name]
  const html = renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${page.title} · Trainyard`}</title>
        <link rel="icon" href={FAVICON} />
        <script dangerouslySetInnerHTML={{ __html: HEAD_SCRIPT }} />
        <style dangerouslySetInnerHTML={{ __html: style }} />
        {/* Paints the page once it is complete, because parts of it would move while it arrives on a slow line. */}
        <link rel="expect" href={`#${END}`} blocking="render" />
      </head>
      <body data-app={app.join(' ')}>
        {page.body(parts)}
        <span id={END} />
        {script !== '' && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>,
  )
  return `<!doctype html>${html}`
}

function Logout() {
  return (
    <main className="desk alone" data-logout={`/api${pathOf(session.logout)}`}>
      <Brand />
      <h1>Logout</h1>
      <output className="lead">Signing you out...</output>
      <p>
        <a href="/login">Go to Login</a>
      </p>
    </main>
  )
}
