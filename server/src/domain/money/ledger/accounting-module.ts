import { serverModule } from '../../../core/module.ts'

export default serverModule({
  name: 'accounting',
  requires: ['ledger'],
})
