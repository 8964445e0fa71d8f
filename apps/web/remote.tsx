import '@trainyard/platform/web/theme/tokens.css'
import '@trainyard/platform/web/theme/base.css'
import '@xterm/xterm/css/xterm.css'
import { createRoot } from 'react-dom/client'
import { modules } from '@trainyard/modules/web.ts'
import { readSession } from '@trainyard/platform/web/session/session.ts'
import { ModulesContext } from '@trainyard/platform/web/shell/modules.ts'
import { followSystem } from '@trainyard/platform/web/theme/scheme.ts'
import { takeAddress } from '@trainyard/remote-access/web/address.ts'
import { Remote } from '@trainyard/remote-access/web/Remote.tsx'
import { Watch } from '@trainyard/remote-access/web/watch/Watch.tsx'

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
