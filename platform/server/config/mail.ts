import { ConfigError } from '../core/errors.ts'
import type { Environment } from './environment.ts'

export interface MailSettings {
  readonly from: string
  readonly emulated: boolean
  /** `smtp`: login of SMTP_URL. `smtp-oauth2`: SMTP with an access token of Entra. `graph`: Microsoft Graph. */
  readonly method: 'smtp' | 'smtp-oauth2' | 'graph'
}

/** @throws ConfigError if the method does not match the other settings */
export function mailSettings(env: Environment, { azureEmulated }: { readonly azureEmulated: boolean }): MailSettings {
  const { MAIL_METHOD: method, MAIL_FROM: from, SMTP_URL: url } = env
  if (method === 'graph' && url !== undefined) throw new ConfigError('SMTP_URL is not used with MAIL_METHOD=graph.')
  if (method === 'smtp-oauth2' && url !== undefined) {
    if (azureEmulated) throw new ConfigError('MAIL_METHOD=smtp-oauth2 signs in to Entra: set the Azure settings too.')
    if (new URL(url).password !== '')
      throw new ConfigError('SMTP_URL must have no password with MAIL_METHOD=smtp-oauth2.')
  }
  return { from, method, emulated: method === 'graph' ? azureEmulated : url === undefined }
}
