import { serverModule } from '../../../core/module.ts'
import { templateHandlers } from './http.ts'
import { readOffers } from './read-offers.ts'

export default serverModule({
  name: 'templates',
  calls: () => ({ template: templateHandlers }),
  tasks: ({ db, cloud }) => [
    { name: 'read VM sizes and image terms', every: 15, on: 'one', run: (signal) => readOffers(db, cloud, signal) },
  ],
})
