import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { attendanceHandlers } from './server/http.ts'

export default serverModule({
  name: 'attendance',
  requires: ['remote-access'],
  calls: () => ({ attendance: attendanceHandlers }),
})
