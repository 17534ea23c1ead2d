/** Returns a command for a shell that makes one change, with the headers that each request needs. */
export function exampleChange(baseUrl: string, token: string): string {
  return `curl ${baseUrl}/ip_policies -H 'Authorization: Bearer ${token}' -H 'Service-Version: 2' \\
    -H 'Content-Type: application/json' -d '{"description": "my first change"}'`;
}
