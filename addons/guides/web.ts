import { remoteAside } from '@trainyard/remote-access/web/slots.ts'
import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'

export const guides = webModule({
  name: 'guides',
  fills: [fill(remoteAside, 10, () => import('./web/GuideAside.tsx'), { for: ['user', 'admin'] })],
})
