import type { ReactNode } from 'react'
import { Brand } from './Brand.tsx'
import { PrivacyLink } from '@trainyard/platform/web/public/PrivacyLink.tsx'

interface DeskProps {
  title: string
  link?: { readonly to: string; readonly text: string }
  /** Action that needs JavaScript, such as 'sign you in'; by default it needs none. */
  purpose?: string
  /** True for the privacy notice, which does not link to itself. */
  isNotice?: boolean
  /** True until the content is known: the links below it would move. */
  hidesLinks?: boolean
  children: ReactNode
}

const TO_LOGIN = { to: '/login', text: 'Go to Login' }

export const Desk = ({
  title,
  link = TO_LOGIN,
  purpose,
  isNotice = false,
  hidesLinks = false,
  children,
}: DeskProps) => (
  <main className="desk alone">
    <Brand />
    <h1>{title}</h1>
    {children}
    <footer hidden={hidesLinks}>
      <p>
        <a href={link.to}>{link.text}</a>
      </p>
      {!isNotice && <PrivacyLink />}
    </footer>
    {purpose && (
      <noscript>
        <p>Trainyard needs JavaScript to {purpose}.</p>
      </noscript>
    )}
  </main>
)
