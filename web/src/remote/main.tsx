import '#src/theme/tokens.css'
import '#src/theme/base.css'
import '@xterm/xterm/css/xterm.css'
import { createRoot } from 'react-dom/client'
import { modules } from '../../../apps/modules/web.ts'
import { readSession } from '#src/session/session.ts'
import { ModulesContext } from '#src/shell/modules.ts'
import { followSystem } from '#src/theme/scheme.ts'
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
    <ModulesContext value={modules}>
      {address.watches ? <Watch address={address} /> : <Remote address={address} />}
    </ModulesContext>,
  )
} else {
  location.replace(`/login?next=${encodeURIComponent(location.pathname + location.hash)}`)
}
