import { serverModule, reconciles, runs } from '../../../core/module.ts'
import { labImportHandlers } from './http.ts'
import { labMoved, sendMoved } from './jobs.ts'
import { labImportKind } from './step.ts'

export default serverModule({
  name: 'als-import',
  requires: ['registration', 'class-sessions'],
  calls: (parts) => ({ labImport: labImportHandlers(parts) }),
  kinds: [reconciles('lab_import', labImportKind)],
  jobs: [runs(labMoved, sendMoved)],
})
