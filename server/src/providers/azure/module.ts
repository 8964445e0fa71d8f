import { serverModule } from '../../core/module.ts'

export default serverModule({
  name: 'azure',
})
