import { fill, webModule } from '#src/shell/module.ts'
import { shellBars } from './slots.ts'

export const doctor = webModule({
  name: 'doctor',
  fills: [fill(shellBars, 30, () => import('./ExpiryBar.tsx'), { for: ['superadmin'], lazy: true })],
})
