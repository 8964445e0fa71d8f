import '#src/theme/tokens.css'
import '#src/theme/base.css'
import '@xterm/xterm/css/xterm.css'
import { createRoot } from 'react-dom/client'
import { readSession } from '#src/session/session.ts'
import { followSystem } from '#src/theme/scheme.ts'
import { takeAddress } from './address.ts'
import { Remote } from './Remote.tsx'
import { Watch } from './watch/Watch.tsx'

const asked = takeAddress()

if (readSession()) {
  followSystem()
  // Signed out in another tab: the gateway ends the terminal, and the page must not go on showing it.
  addEventListener('storage', () => {
    if (!readSession()) location.assign('/login')
  })
  createRoot(document.getElementById('root')!).render(
    asked.watches ? <Watch asked={asked} /> : <Remote asked={asked} />,
  )
} else {
  location.replace(`/login?next=${encodeURIComponent(location.pathname + location.hash)}`)
}
