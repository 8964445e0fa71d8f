import { fill, webModule } from '#src/shell/module.ts'
import { shellSearch } from '#src/shell/slots.ts'

export const search = webModule({
  name: 'search',
  fills: [fill(shellSearch, 10, () => import('./PaletteKey.tsx'))],
})
