import { SANDBOX_HOURS, SANDBOX_NAME_LENGTH } from '@trainyard/contract/words/limits.ts'
import styles from './AzureSandbox.module.css'

/** The guide: from the first sign-in to the end, in five steps. */
export function Guide() {
  return (
    <section id="guide" className={styles.guide} aria-labelledby="guide-heading" tabIndex={-1}>
      <h2 id="guide-heading">How to use a sandbox</h2>
      <ol>
        <li>
          <strong>Create a sandbox.</strong> Give it a name of 1 to {SANDBOX_NAME_LENGTH} characters and choose where it
          stands. It is a resource group at Azure that is yours alone; it takes about ten seconds, and its card says
          Ready.
        </li>
        <li>
          <strong>Sign in to Azure.</strong> Open the Azure portal with the username and the first password above, in a
          private window if you are signed in there as somebody else. Choose a password of your own when asked.
        </li>
        <li>
          <strong>Work inside it.</strong> Under Resource groups you find your sandbox. Create what you need in it;
          outside it you may not, and large machine sizes are refused.
        </li>
        <li>
          <strong>Mind your credits.</strong> What stands in a sandbox uses credits for as long as it stands, counted
          every five minutes, and more often near their end. When none are left, what runs is stopped and there is no
          new sandbox.
        </li>
        <li>
          <strong>Finish.</strong> Delete the sandbox when you are done. At the latest {SANDBOX_HOURS} hours after it
          was created it goes by itself: you lose access, and everything in it is deleted. Take along what you want to
          keep before that.
        </li>
      </ol>
    </section>
  )
}
