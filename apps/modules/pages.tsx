import { Forgot } from '@trainyard/users/web/sign-in/Forgot.tsx'
import { Invitation } from '@trainyard/users/web/sign-in/Invitation.tsx'
import { Join } from '@trainyard/registration/web/Join.tsx'
import { Login } from '@trainyard/users/web/sign-in/Login.tsx'
import { Logout } from '@trainyard/users/web/sign-in/Logout.tsx'
import { Lti } from '@trainyard/lti/web/Lti.tsx'
import { Password } from '@trainyard/users/web/sign-in/Password.tsx'
import { Privacy } from '@trainyard/privacy/web/Privacy.tsx'
import { SignIn } from '@trainyard/sso/web/SignIn.tsx'
import { Welcome } from '@trainyard/home/web/welcome/Welcome.tsx'
import type { PublicPage } from '@trainyard/web/build/render-page.tsx'

export { renderPage } from '@trainyard/web/build/render-page.tsx'

const USERS = 'core/users/web/sign-in'
const SHEET = `${USERS}/public.css`

/** Pages outside a session. They are rendered at build time; their script is their only one. Paths are those of files. */
export const pages: Readonly<Record<string, PublicPage>> = {
  login: {
    title: 'Login',
    body: ({ secondStep }) => <Login secondStep={secondStep} />,
    sheet: SHEET,
    script: `${USERS}/login.script.ts`,
  },
  logout: { title: 'Logout', body: () => <Logout />, sheet: SHEET, script: `${USERS}/logout.script.ts` },
  invitation: {
    title: 'Set Your Password',
    body: () => <Invitation />,
    sheet: SHEET,
    script: `${USERS}/invitation.script.ts`,
  },
  forgot: { title: 'Forgot Password', body: () => <Forgot />, sheet: SHEET, script: `${USERS}/forgot.script.ts` },
  password: {
    title: 'Change Your Password',
    body: () => <Password />,
    sheet: SHEET,
    script: `${USERS}/password.script.ts`,
  },
  'sign-in': { title: 'Sign In', body: () => <SignIn />, sheet: SHEET, script: 'addons/sso/web/sign-in.script.ts' },
  lti: { title: 'Opening Your Training', body: () => <Lti />, sheet: SHEET, script: 'addons/lti/web/lti.script.ts' },
  join: {
    title: 'Register',
    body: ({ secondStep }) => <Join secondStep={secondStep} />,
    sheet: SHEET,
    script: 'addons/registration/web/join.script.ts',
  },
  privacy: { title: 'Privacy Notice', body: () => <Privacy />, sheet: SHEET, script: null },
  welcome: {
    title: 'Welcome',
    body: () => <Welcome />,
    sheet: `${USERS}/welcome.css`,
    script: 'core/home/web/welcome/welcome.script.ts',
  },
}
