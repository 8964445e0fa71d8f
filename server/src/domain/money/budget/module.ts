import { serverModule } from '../../../core/module.ts'
import { budgetHandlers } from './http.ts'
import { wasteHandlers } from '../waste/http.ts'

export default serverModule({
  name: 'budgets',
  calls: (parts) => ({ budget: budgetHandlers(parts), waste: wasteHandlers }),
})
