import { SANDBOX_HOURS, SANDBOX_NAME_LENGTH } from '@trainyard/platform/contract/words/limits.ts'
import styles from './AzureSandbox.module.css'

export function Guide() {
  return (
    <section id="guide" className={styles.guide} aria-labelledby="guide-heading" tabIndex={-1}>
      <h2 id="guide-heading">How to use a sandbox</h2>
      <ol>
        <li>
          <strong>Create a sandbox.</strong> Give it a name of 1 to {SANDBOX_NAME_LENGTH} characters and choose a
          location. It is an Azure resource group that only you can use. It is ready after about ten seconds, when its
          card says Ready.
        </li>
        <li>
          <strong>Sign in to Azure.</strong> Open the Azure portal with the username and the first password above. Use a
          private window if you are signed in there with another account. Choose a new password when asked, and set up
          multifactor authentication with an app on your phone, such as Microsoft Authenticator.
        </li>
        <li>
          <strong>Work inside it.</strong> Find your sandbox under Resource groups. You can create resources only inside
          it, and large machine sizes are refused.
        </li>
        <li>
          <strong>Watch your credits.</strong> Resources in a sandbox use credits for as long as they exist. Usage is
          counted every five minutes, and more often when few credits are left. Without credits, running resources are
          stopped and you can’t create a sandbox.
        </li>
        <li>
          <strong>Finish.</strong> Delete the sandbox when you are done. It is deleted automatically {SANDBOX_HOURS}{' '}
          hours after its creation at the latest: you lose access, and everything in it is deleted. Save what you want
          to keep before then.
        </li>
      </ol>
    </section>
  )
}
