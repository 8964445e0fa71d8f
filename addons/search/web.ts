import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { shellSearch } from '@trainyard/platform/web/shell/slots.ts'

export const search = webModule({
  name: 'search',
  fills: [fill(shellSearch, 10, () => import('./web/palette/PaletteKey.tsx'))],
})
