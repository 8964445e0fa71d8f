import { findMachine } from '@trainyard/machines/web/slots.ts'
import { fill, provide, webModule } from '@trainyard/platform/web/shell/module.ts'
import { shellSearch } from '@trainyard/platform/web/shell/slots.ts'

export const search = webModule({
  name: 'search',
  fills: [fill(shellSearch, 10, () => import('./web/palette/PaletteKey.tsx'))],
  provides: [
    provide(findMachine, async (api, name) => {
      const { machines } = await api.search.find({ text: name })
      return machines.find(({ machine }) => machine === name) ?? null
    }),
  ],
})
