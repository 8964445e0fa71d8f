import { organization, portalKey } from '@trainyard/emulator/aws/cloud.ts'
import type { AwsUsers } from '../src/providers/aws-users.ts'
import { awsUsers } from '../src/providers/aws/users.ts'
import type { Wire } from '../src/providers/aws/wire.ts'
import type { RazorpaySettings } from '../src/providers/razorpay/payments.ts'

export function testAwsUsers(endpoint: string, http?: (wire: Wire) => Wire, timeLimit = 15_000): AwsUsers {
  return awsUsers({
    credentials: portalKey,
    region: 'us-east-1',
    endpoint,
    role: 'OrganizationAccountAccessRole',
    labPolicy: 'arn:aws:iam::aws:policy/PowerUserAccess',
    units: { lab: organization.labs, cleanup: organization.cleanup },
    timeLimit,
    ...(http === undefined ? {} : { http }),
  })
}

/** Returns the Razorpay adapter's settings for an emulator and its merchant. */
export const emulatedRazorpay = (url: string): RazorpaySettings => ({
  url,
  checkoutScriptUrl: `${url}/v1/checkout.js`,
  keyId: 'rzp_test_EmulatedTest01',
  keySecret: 'emulated-key-secret',
  webhookSecret: 'emulated-webhook-secret',
})
