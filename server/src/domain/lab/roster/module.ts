import { serverModule } from '../../../core/module.ts'
import { courseLists } from '../lms/course-members.ts'
import { processDueMachines, ROSTER_DUE } from './due-machines.ts'
import { rosterHandlers } from './http.ts'
import { groupLists } from '../../people/directory/roster-lists.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'rosters',
  calls: ({ jobs }) => ({ roster: rosterHandlers({ jobs, sources: [groupLists, courseLists] }) }),
  tasks: ({ db, seal, jobQueue: jobs }) => [
    {
      name: 'update machines of rosters',
      every: MINUTE,
      on: 'each',
      isDue: ROSTER_DUE,
      limit: 5 * MINUTE,
      run: (signal) => processDueMachines(db, { seal, jobs }, signal),
    },
  ],
})
