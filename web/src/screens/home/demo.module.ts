import { fill, webModule } from '#src/shell/module.ts'
import { homeCards, homeFirst } from './slots.ts'

export const demo = webModule({
  name: 'demo',
  fills: [
    fill(homeFirst, 10, () => import('./FirstSteps.tsx'), { lazy: true }),
    fill(homeCards, 10, () => import('./DemoClassCard.tsx')),
  ],
  commands: () => import('./palette.tsx'),
})
