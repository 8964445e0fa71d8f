import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { DEMO_CLASS, isDemoLearner } from '@trainyard/contract/words/demo-class.ts'
import { api } from '#src/api/client.ts'
import { DeleteDialog } from '#src/forms/DeleteDialog.tsx'
import { WebAccessButton } from '#src/machine/WebAccessButton.tsx'
import { DialogButton } from '#src/ui/DialogButton.tsx'
import { ScreenLink } from '#src/ui/ScreenLink.tsx'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import styles from './Home.module.css'
import { machinesOf } from './MyMachines.tsx'

interface DemoClassProps {
  organization: string
  /** Organisation of the demo class, shown to a superadmin. */
  whose: { organization?: string }
}

/** The demo class of an organisation, until it is deleted. */
export default function DemoClass({ organization, whose }: DemoClassProps) {
  const heading = useId()
  const machines = useQuery(machinesOf({ trainingName: DEMO_CLASS.training, ...whose }))
  const seats = machines.data?.filter(({ email }) => isDemoLearner(email)) ?? []
  if (seats.length === 0) return null
  const training = { ...whose, training: DEMO_CLASS.training }
  return (
    <section className="panel stack" aria-labelledby={heading}>
      <h2 id={heading}>{DEMO_CLASS.training}</h2>
      <p>
        Open a learner’s machine when it runs.{' '}
        <ScreenLink to="/vm/class" search={training}>
          Class
        </ScreenLink>{' '}
        shows both seats as an instructor sees them.
      </p>
      <ul className={styles.seats} aria-labelledby={heading}>
        {seats.map((machine) => (
          <li key={machine.name}>
            <strong>{machine.learnerName ?? machine.name}</strong>
            <StatusBadge status={machine.status} />
            <WebAccessButton machine={machine} label="Open the terminal" />
          </li>
        ))}
      </ul>
      <div>
        <DialogButton
          icon="bin"
          variant="default"
          size="xs"
          dialog={(close) => (
            <DeleteDialog
              name="demo class"
              remove={() => api.firstSteps.removeDemoClass({ organization })}
              invalidates={['home', 'training', 'machine']}
              close={close}
            >
              <p>The training {DEMO_CLASS.training} is deleted with its machines and its demo learners.</p>
            </DeleteDialog>
          )}
        >
          Delete the demo class
        </DialogButton>
      </div>
    </section>
  )
}
