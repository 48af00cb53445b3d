# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the standard headers that we include are included for. A header that is not here is not judged.

STANDARD: names behind std::, std::ranges::, std::views::, std::chrono:: and the like. C_NAMES: names that are
also written without std::. QT_GIVERS: what hands out an object of a Qt class that the code then need not name.
"""

STANDARD: dict[str, str] = {
    "algorithm": "adjacent_find all_of any_of binary_search clamp copy copy_if copy_n count count_if equal equal_range "
                 "fill fill_n find find_end find_first_of find_if find_if_not for_each generate includes "
                 "inplace_merge is_heap is_sorted is_sorted_until lexicographical_compare lower_bound make_heap max "
                 "max_element merge min min_element minmax minmax_element mismatch move next_permutation none_of "
                 "nth_element partial_sort partition partition_point pop_heap prev_permutation push_heap remove "
                 "remove_copy_if remove_if replace reverse reverse_copy rotate sample search set_difference "
                 "set_intersection set_symmetric_difference set_union shift_left shift_right shuffle sort sort_heap "
                 "stable_partition stable_sort swap_ranges transform unique unique_copy upper_bound",
    "array": "array to_array",
    "atomic": "atomic atomic_bool atomic_flag atomic_int memory_order_relaxed memory_order_acquire "
              "memory_order_release",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_zero countr_zero has_single_bit popcount",
    "charconv": "from_chars to_chars chars_format",
    "chrono": "chrono",
    "compare": "strong_ordering weak_ordering partial_ordering compare_three_way",
    "condition_variable": "condition_variable condition_variable_any cv_status",
    "deque": "deque",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream fstream filebuf",
    "functional": "function hash less greater plus minus multiplies equal_to not_equal_to invoke reference_wrapper ref "
                  "cref mem_fn bind_front identity not_fn less_equal greater_equal logical_or",
    "initializer_list": "initializer_list",
    "iostream": "cout cerr cin clog",
    "iterator": "back_inserter inserter front_inserter advance distance next prev make_move_iterator "
                "make_reverse_iterator reverse_iterator forward_iterator_tag random_access_iterator_tag "
                "istreambuf_iterator istream_iterator size ssize begin end iterator_traits input_iterator_tag data "
                "bidirectional_iterator_tag",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "unique_ptr shared_ptr weak_ptr make_unique make_shared enable_shared_from_this addressof to_address "
              "default_delete static_pointer_cast dynamic_pointer_cast const_pointer_cast",
    "mutex": "mutex lock_guard unique_lock scoped_lock once_flag call_once recursive_mutex timed_mutex defer_lock",
    "numbers": "numbers",
    "numeric": "accumulate adjacent_difference exclusive_scan gcd inclusive_scan inner_product iota lcm midpoint "
               "partial_sum reduce transform_reduce transform_inclusive_scan",
    "optional": "optional nullopt make_optional nullopt_t",
    "queue": "queue priority_queue",
    "random": "mt19937 mt19937_64 uniform_int_distribution uniform_real_distribution random_device seed_seq "
              "normal_distribution bernoulli_distribution exponential_distribution",
    "regex": "regex smatch cmatch regex_match regex_search regex_replace sregex_iterator",
    "set": "set multiset",
    "span": "span as_bytes as_writable_bytes",
    "sstream": "istringstream ostringstream stringstream",
    "stop_token": "stop_token stop_source stop_callback",
    "string": "string to_string getline stoi stol stoll stoul stoull stod stof char_traits u8string wstring erase_if "
              "u16string basic_string",
    "string_view": "string_view basic_string_view",
    "system_error": "error_code system_error errc error_condition generic_category system_category make_error_code "
                    "error_category",
    "thread": "thread jthread this_thread",
    "tuple": "tuple tie make_tuple forward_as_tuple get apply tuple_cat tuple_size_v tuple_element_t ignore",
    "type_traits": "is_same_v is_same decay_t remove_cvref_t remove_reference_t enable_if_t conditional_t "
                   "is_integral_v is_floating_point_v is_enum_v underlying_type_t is_convertible_v invoke_result_t "
                   "is_invocable_v is_base_of_v is_trivially_copyable_v is_arithmetic_v is_constructible_v true_type "
                   "false_type void_t remove_const_t remove_cv_t common_type_t is_const_v is_default_constructible_v "
                   "is_void_v make_unsigned_t make_signed_t is_signed_v is_unsigned_v",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set unordered_multiset",
    "utility": "move pair make_pair swap exchange forward as_const declval index_sequence make_index_sequence "
               "integer_sequence in_place get cmp_less cmp_equal cmp_greater to_underlying piecewise_construct "
               "unreachable cmp_less_equal index_sequence_for",
    "variant": "variant visit get get_if holds_alternative monostate variant_size_v variant_alternative_t",
    "vector": "vector erase_if erase",
}

C_NAMES: dict[str, str] = {
    "cassert": "assert",
    "cctype": "isalnum isalpha isdigit isspace isupper islower ispunct isxdigit tolower toupper isprint",
    "cerrno": "errno EINTR EINVAL ENOENT EACCES ENOSPC EEXIST EAGAIN",
    "cmath": "abs acos asin atan atan2 cbrt ceil copysign cos erf erfc exp exp2 expm1 fabs floor fma fmax fmin fmod "
             "frexp hypot isfinite isinf isnan ldexp lgamma llround log log10 log1p log2 lround modf nan nextafter "
             "nexttoward pow remainder rint round signbit sin sqrt tan tanh tgamma trunc nearbyint lrint ilogb llrint "
             "HUGE_VAL M_PI NAN INFINITY sinh cosh",
    "cstddef": "size_t ptrdiff_t nullptr_t byte max_align_t offsetof",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t "
               "uintmax_t INT32_MAX INT64_MAX INT64_MIN UINT64_MAX UINT32_MAX INT64_C UINT64_C SIZE_MAX",
    "cstdio": "FILE fopen fclose fflush fprintf printf snprintf fputs puts fread fwrite stderr stdout stdin rename "
              "remove perror fileno sscanf fdopen feof fgets setvbuf fputc getc putchar EOF fseek ftell rewind tmpfile "
              "vsnprintf ferror popen pclose",
    "cstdlib": "abort abs atoi atof exit EXIT_FAILURE EXIT_SUCCESS getenv malloc free calloc realloc mkstemp mkdtemp "
               "quick_exit _Exit strtod strtol strtoll strtoul strtoull system setenv unsetenv llabs labs rand srand "
               "div realpath atexit qsort lldiv",
    "cstring": "memcmp memcpy memmove memset memchr strchr strcmp strcpy strerror strlen strncmp strncpy strrchr "
               "strstr strsignal strtok",
    "ctime": "time time_t tm gmtime localtime strftime mktime gmtime_r localtime_r timespec clock clock_gettime "
             "timegm",
    "csignal": "signal raise sigaction sig_atomic_t SIGINT SIGTERM SIGKILL SIGSEGV SIGABRT SIG_DFL SIG_IGN kill "
               "sigemptyset sigset_t SIGPIPE SIGCONT SIGSTOP SIGHUP sigprocmask",
    "fmt/format.h": "fmt",
    "fmt/ranges.h": "join tuple_join",
    "nlohmann/json.hpp": "nlohmann Json OrderedJson json ordered_json toJson printJson planEntry",
    "nlohmann/json_fwd.hpp": "nlohmann Json json",
    "zlib.h": "inflate deflate inflateInit2 inflateEnd z_stream gzopen gzread gzwrite compress crc32 deflateInit2",
}

QT_GIVERS: dict[str, str] = {
    "QAction": r"\b(?:addAction|action|actions|command|toggleViewAction|menuAction|triggered)\(",
    "QApplication": r"\b(?:qApp|QTEST_MAIN)\b",
    "QClipboard": r"\bclipboard\(",
    "QColor": r"\b(?:color|lighter|darker)\(",
    "QCoreApplication": r"\b(?:translate|QTEST_GUILESS_MAIN|tr)\b",
    "QDockWidget": r"\bdock\w*\(",
    "QHeaderView": r"\b(?:horizontalHeader|verticalHeader|header)\(",
    "QLayout": r"\blayout\(",
    "QLineEdit": r"\blineEdit\(",
    "QListWidget": r"\blist\(",
    "QMenu": r"\b(?:addMenu|menu|createPopupMenu)\(",
    "QMenuBar": r"\bmenuBar\(",
    "QMimeData": r"\bmimeData\(",
    "QMouseEvent": r"\bmouse\w+Event\(",
    "QPushButton": r"\b(?:button|addButton)\(",
    "QScreen": r"\b(?:screen|primaryScreen)\(",
    "QScrollBar": r"\b(?:horizontal|vertical)ScrollBar\(",
    "QSignalSpy": r"\bQSignalSpy\b",
    "QSpinBox": r"\bQSpinBox\b",
    "QStatusBar": r"\bstatusBar\(",
    "QString": r"\b(?:tr|QStringLiteral|QT_TR_NOOP)\b",
    "QStringList": r"\bsplit\(",
    "QStyle": r"\bstyle\(",
    "QTest": r"\b(?:Q(?:VERIFY|COMPARE|FAIL|SKIP|FETCH)\w*|QTEST_\w+|QTRY_\w+)\b",
    "QUndoStack": r"\bundoStack\(",
    "QViewport": r"\bviewport\(",
    "QtGlobal": r"\bq[A-Z]\w*|\b[QT]_\w+",
    "QtTest": r"\b(?:Q(?:VERIFY|COMPARE|FAIL|SKIP|FETCH)\w*|QTEST_\w+|QTest)\b",
}
