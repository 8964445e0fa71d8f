import { serverModule } from '../../core/module.ts'
import { attendanceHandlers } from './http.ts'

export default serverModule({
  name: 'attendance',
  requires: ['remote-access'],
  calls: () => ({ attendance: attendanceHandlers }),
})
