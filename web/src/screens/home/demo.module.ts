import { webModule } from '#src/shell/module.ts'

export const demo = webModule({
  name: 'demo',
  commands: () => import('./palette.ts'),
})
