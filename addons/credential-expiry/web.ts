import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { shellBars } from '@trainyard/platform/web/shell/slots.ts'

export const credentialExpiry = webModule({
  name: 'credential-expiry',
  fills: [fill(shellBars, 30, () => import('./web/ExpiryBar.tsx'), { for: ['superadmin'], lazy: true })],
})
