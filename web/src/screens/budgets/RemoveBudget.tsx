import { api } from '#src/api/client.ts'
import { DeleteDialog } from '#src/forms/DeleteDialog.tsx'
import type { OfOrganisation, Subject } from './budget.ts'

/** Asks before a budget is removed. */
export function RemoveBudget({ of, subject, close }: { of: OfOrganisation; subject: Subject; close: () => void }) {
  const { name, trainingName } = subject
  return (
    <DeleteDialog
      name={`budget of ${name}`}
      remove={() => api.budget.remove(trainingName === undefined ? of : { ...of, trainingName })}
      renews={['budget']}
      close={close}
    >
      <p>Nobody is told any more how much of it is used. Machines that it kept off may be started again.</p>
    </DeleteDialog>
  )
}
