import { Forgot } from '../src/public/Forgot.tsx'
import { Invitation } from '../src/public/Invitation.tsx'
import { Join } from '../src/public/Join.tsx'
import { Login } from '../src/public/Login.tsx'
import { Logout } from '../src/public/Logout.tsx'
import { Lti } from '../src/public/Lti.tsx'
import { Password } from '../src/public/Password.tsx'
import { Privacy } from '../src/public/Privacy.tsx'
import { SignIn } from '../src/public/SignIn.tsx'
import { Welcome } from '../src/public/Welcome.tsx'
import type { PublicPage } from '../src/public/render-page.tsx'

export { renderPage } from '../src/public/render-page.tsx'

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
