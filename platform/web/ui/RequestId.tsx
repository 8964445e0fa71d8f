export const RequestId = ({ id }: { id: string }) => (
  <p>
    <small>
      Request <code>{id}</code>
    </small>
  </p>
)
