import { serverModule } from '../../../core/module.ts'
import { classroomHandlers } from './http.ts'

export default serverModule({
  name: 'classroom',
  requires: ['remote-access'],
  calls: (parts) => ({ classroom: classroomHandlers(parts) }),
})
