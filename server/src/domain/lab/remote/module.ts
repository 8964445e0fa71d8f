import { serverModule } from '../../../core/module.ts'
import { remoteHandlers } from './http.ts'

export default serverModule({
  name: 'remote-access',
  calls: ({ remotePage: page, seal, connector }) => ({ remote: remoteHandlers({ page, seal, connector }) }),
})
