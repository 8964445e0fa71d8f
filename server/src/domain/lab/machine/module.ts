import { serverModule } from '../../../core/module.ts'
import { imageHandlers } from '../image/http.ts'
import { machineHandlers } from './http.ts'
import { quotaHandlers } from './quota-http.ts'
import { orderHandlers } from '../order/http.ts'

export default serverModule({
  name: 'machines',
  calls: (parts) => ({
    machine: { ...machineHandlers(parts), ...orderHandlers(parts) },
    quota: quotaHandlers,
    image: imageHandlers(parts),
  }),
})
