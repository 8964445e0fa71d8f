import { expect, test } from 'vitest'
import { policyFor } from './lti-pages.ts'

const POLICY = "form-action 'self';frame-ancestors 'none';script-src 'self';upgrade-insecure-requests"

test.each(['https://lms.test', 'https://lms.test:8443', 'http://127.0.0.1:8080', 'https://*.instructure.com'])(
  'lets %s contain the page in a frame and receive its forms',
  (origin) => {
    expect(policyFor(POLICY, [origin])).toBe(`form-action 'self' ${origin};frame-ancestors ${origin};script-src 'self'`)
  },
)

test.each(['https://x;script-src', "https://a$'b", 'https://a,b', 'https://*', 'https://$&', 'null'])(
  'the origin %s changes no other part of the policy and allows no frame',
  (origin) => {
    expect(policyFor(POLICY, [origin])).toBe("form-action 'self';frame-ancestors 'none';script-src 'self'")
  },
)
