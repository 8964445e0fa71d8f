import '@trainyard/platform/web/theme/tokens.css'
import '@trainyard/platform/web/theme/base.css'
import '@xterm/xterm/css/xterm.css'
import { createRoot } from 'react-dom/client'
import { readSession } from '@trainyard/platform/web/session/session.ts'
import { followSystem } from '@trainyard/platform/web/theme/scheme.ts'
import { takeAddress } from './address.ts'
import { Remote } from './Remote.tsx'
import { Watch } from './watch/Watch.tsx'

const address = takeAddress()

if (readSession()) {
  followSystem()
  // A logout in another tab ends the terminal at the gateway, so this page must close too.
  addEventListener('storage', () => {
    if (!readSession()) location.assign('/login')
  })
  createRoot(document.getElementById('root')!).render(
    address.watches ? <Watch address={address} /> : <Remote address={address} />,
  )
} else {
  location.replace(`/login?next=${encodeURIComponent(location.pathname + location.hash)}`)
}
