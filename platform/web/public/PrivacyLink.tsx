export const PrivacyLink = () => (
  <p>
    <a href="/privacy">Privacy notice</a>
  </p>
)
