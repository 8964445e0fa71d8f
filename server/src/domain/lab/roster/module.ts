import { serverModule } from '../../../core/module.ts'
import { courseLists } from '../lms/course-members.ts'
import { rosterHandlers } from './http.ts'
import { groupLists } from '../../people/directory/roster-lists.ts'

export default serverModule({
  name: 'rosters',
  calls: ({ jobs }) => ({ roster: rosterHandlers({ jobs, sources: [groupLists, courseLists] }) }),
})
