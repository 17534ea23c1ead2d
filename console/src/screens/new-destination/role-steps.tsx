/** What is done in AWS and here for a role, in order: the external id exists only after the destination. */
export function RoleSteps() {
  return (
    <ol aria-label="Steps for a role">
      <li>
        In AWS, create the role that Waybill assumes: IAM, Roles, Create role. Its trust policy comes later, so any will
        do.
      </li>
      <li>Give its ARN here, and create the destination. Waybill generates the external id of the destination then.</li>
      <li>
        Paste two policies, which are shown here, into the role. The trust policy lets Waybill assume the role with the
        external id. The permission policy lets the role write to the target.
      </li>
      <li>Send the test event of step 4: it shows whether AWS accepts the role.</li>
    </ol>
  );
}
