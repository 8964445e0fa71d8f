import { serverModule } from '../../../core/module.ts'
import { labImportHandlers } from './http.ts'

export default serverModule({
  name: 'als-import',
  requires: ['registration', 'class-sessions'],
  calls: (parts) => ({ labImport: labImportHandlers(parts) }),
})
