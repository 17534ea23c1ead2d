import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { familyOfId } from '../../api/families.js';
import { Button } from '../../components/button.js';
import { SearchInput } from '../../components/search-input.js';
import styles from './resources.module.css';

/** A field that takes the id of a resource of any family, and opens it. */
export function OpenById() {
  const navigate = useNavigate();
  const [id, setId] = useState('');
  const [isUnknown, setUnknown] = useState(false);

  function open(): void {
    const text = id.trim();
    const family = familyOfId(text);
    setUnknown(!family);
    if (family) void navigate({ to: '/resources/$family/$id', params: { family: family.name, id: text } });
  }

  return (
    <form
      className={styles.open}
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <SearchInput
        label="Id of a resource"
        placeholder="Id of any resource"
        isCode
        type="text"
        aria-invalid={isUnknown}
        aria-describedby="open-by-id-result"
        autoComplete="off"
        spellCheck={false}
        value={id}
        onChange={({ target }) => {
          setId(target.value);
          setUnknown(false);
        }}
      />
      <Button type="submit">Open</Button>
      <p id="open-by-id-result" role="status" className={styles.result}>
        {isUnknown &&
          'This is not the id of a resource: an id begins with the letters of its family, such as ipp_ or ed_.'}
      </p>
    </form>
  );
}
