import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { homeCards, homeFirst } from '@trainyard/home/web/slots.ts'

export const demo = webModule({
  name: 'demo',
  fills: [
    fill(homeFirst, 10, () => import('./web/FirstSteps.tsx'), { lazy: true }),
    fill(homeCards, 10, () => import('./web/DemoClassCard.tsx')),
  ],
  commands: () => import('./web/palette.tsx'),
})
