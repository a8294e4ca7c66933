'use strict';
// Sorts a table by the column whose title is clicked, and shows only the rows that contain the
// search text.
for (const table of document.querySelectorAll('table.points')) {
  const body = table.tBodies[0];
  const rows = [...body.rows];

  // Returns the sort key of a cell, which is the attribute data-sort or, without this attribute,
  // the text of the cell. Absent values are last in both directions.
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    const key = cell.dataset.sort ?? cell.textContent;
    return key !== '' && !Number.isNaN(Number(key)) ? Number(key) : key;
  };
  const compare = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b :
    String(a).localeCompare(String(b), 'en', { numeric: true }));

  function sortBy(title) {
    const direction = title.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    title.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
    const keyed = rows.map((row) => [keyOf(row, title.cellIndex), row]);
    keyed.sort(([a], [b]) => (a === '–') - (b === '–') || direction * compare(a, b));
    body.append(...keyed.map(([, row]) => row));
  }

  for (const title of table.tHead.rows[0].cells) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: title.textContent });
    title.replaceChildren(button);
    button.addEventListener('click', () => sortBy(title));
  }

  const filter = Object.assign(document.createElement('input'), {
    type: 'search', className: 'filter', placeholder: 'Show rows with, e.g. blocked' });
  filter.setAttribute('aria-label', 'Show rows that hold all of these words');
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/[\s=]+/); // n = 1,000
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
  table.parentElement.before(filter);
}
