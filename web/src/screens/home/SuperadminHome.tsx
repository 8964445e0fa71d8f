import { useSelection } from '#src/navigation/useSelection.ts'
import { Attention } from './Attention.tsx'
import { Trainings } from './Trainings.tsx'

/** What needs attention anywhere, and the trainings of the customer chosen in the sidebar. */
export function SuperadminHome() {
  const { organization } = useSelection()
  return (
    <>
      <Attention />
      {organization === null ? (
        <p className="dim">Choose a customer in the sidebar to see its trainings, what runs, and what it costs.</p>
      ) : (
        <Trainings organization={organization} asSuperadmin />
      )}
    </>
  )
}
