/** Native clients allow any port in loopback redirects, as Entra ID does for localhost. */
const registration = (client_id: string, client_secret: string) => ({
  client_id,
  client_secret,
  application_type: 'native' as const,
  redirect_uris: ['http://127.0.0.1/sign-in', 'http://localhost/sign-in'],
  post_logout_redirect_uris: ['http://127.0.0.1/login', 'http://localhost/login'],
  grant_types: ['authorization_code'],
  response_types: ['code' as const],
  token_endpoint_auth_method: 'client_secret_post' as const,
})

export const CLIENTS = [
  registration('trainyard', 'emulated-client-secret'),
  registration('another-application', 'another-client-secret'),
]
